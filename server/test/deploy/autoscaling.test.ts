/** The metrics that scale workers exist, and both autoscalers use the same ones in the same way. */
import { readFileSync } from 'node:fs'
import type { IScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject'
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { settings } from '../../src/config.ts'
import { call } from '../support/http-call.ts'
import { startTestService } from '../support/test-service.ts'
import { renderComponents, renderOverlay } from './render.ts'
import { ofKind } from './workloads.ts'

const rulesFile = 'deploy/kubernetes/components/autoscale/prometheus-adapter-rules.yaml'
const adapter: { rules: { external: Array<{ seriesQuery: string; metricsQuery: string }> } } = parse(
  readFileSync(rulesFile, 'utf8'),
)
const [autoscaler] = ofKind<IHorizontalPodAutoscaler>(renderOverlay('production'), 'HorizontalPodAutoscaler')
const [scaledObject] = ofKind<IScaledObject>(renderComponents(['keda']), 'ScaledObject')

/** Per metric: how it is aggregated over processes, and its target. */
const expected = [
  ['max', 'hookline_due_oldest_seconds', 'Value', '10'],
  ['sum', 'hookline_attempts_in_flight', 'AverageValue', String(Number(settings.concurrency.default) * 0.75)],
]

test('workers are scaled by metrics of the service', { timeout: 120_000 }, async () => {
  const hookline = await startTestService()
  try {
    const { text } = await call(`${hookline.service.internalUrl}/metrics`)
    const names = new Set([...text.matchAll(/^(\w+)[ {]/gm)].map((match) => match[1]))
    expect(expected.filter(([, name]) => !names.has(name))).toEqual([])
  } finally {
    await hookline.close()
  }
})

test('the HorizontalPodAutoscaler reads them from the adapter', () => {
  const metrics = (autoscaler?.spec?.metrics ?? []).map(({ external }) => {
    const name = external?.metric.name ?? ''
    const rule = adapter.rules.external.find(({ seriesQuery }) => seriesQuery.startsWith(`${name}{`))
    const aggregation = /^(\w+)\((\w+)\{<<\.LabelMatchers>>\}\)$/.exec(rule?.metricsQuery ?? '')
    const target = external?.target
    return [aggregation?.[1], aggregation?.[2], target?.type, target?.value ?? target?.averageValue]
  })
  expect(metrics).toEqual(expected)
})

test('KEDA reads them from Prometheus', () => {
  const metrics = (scaledObject?.spec.triggers ?? []).map(({ metricType, metadata }) => {
    const query = /^(\w+)\((\w+)\{namespace="hookline"\}\)$/.exec(metadata.query ?? '')
    return [query?.[1], query?.[2], metricType, metadata.threshold]
  })
  expect(metrics).toEqual(expected)
})

test('both scale in the same steps and range', () => {
  const { minReplicas, maxReplicas, behavior } = autoscaler?.spec ?? {}
  const { minReplicaCount, maxReplicaCount, advanced } = scaledObject?.spec ?? {}
  expect(minReplicas).toBeGreaterThan(1)
  expect([minReplicaCount, maxReplicaCount]).toEqual([minReplicas, maxReplicas])
  expect(advanced?.horizontalPodAutoscalerConfig?.behavior).toEqual(behavior)
})

test('both scale the workers', () => {
  expect(autoscaler?.spec?.scaleTargetRef.name).toBe('hookline-worker')
  expect(scaledObject?.spec.scaleTargetRef.name).toBe('hookline-worker')
})
