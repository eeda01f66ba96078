/** Renders every overlay and component of deploy/kubernetes, validates all objects, and checks them by rules. */
import { readFileSync } from 'node:fs'
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { objectRules } from './object-rules.ts'
import { podRules } from './pod-rules.ts'
import {
  type KubernetesObject,
  overlayNames,
  renderComponents,
  renderKustomization,
  renderOverlay,
} from './render.ts'
import { schemaProblems } from './schema-problems.ts'
import { ofKind, workload, workloads } from './workloads.ts'

const rendered = [
  ...overlayNames().map((name) => ({ name, objects: renderOverlay(name) })),
  {
    name: 'the components keda, smtp, sso and tracing',
    objects: renderComponents(['keda', 'smtp', 'sso', 'tracing']),
  },
]
const production = renderOverlay('production')

test('there are overlays of both sizes, with and without NATS', () => {
  expect(overlayNames()).toEqual(['production', 'production-nats', 'small', 'small-nats'])
})

describe.each(rendered)('$name', ({ objects }) => {
  test('has the three roles', () => {
    expect(workloads(objects).map(({ role }) => role)).toEqual(['api', 'worker', 'migrate'])
  })

  test('has valid objects without unknown fields', () => {
    expect(objects.flatMap(schemaProblems)).toEqual([])
  })

  test.each(podRules)('each pod $name', ({ holds }) => {
    const violations = workloads(objects).filter((one) => !holds(one))
    expect(violations.map(({ name }) => name)).toEqual([])
  })

  test.each(objectRules)('$name', ({ problems }) => {
    expect(problems(objects)).toEqual([])
  })
})

test('the overlay in the documentation changes settings and image', () => {
  const page = readFileSync('docs/deploying.md', 'utf8')
  const overlay = parse(/```yaml\n(.*?kind: Kustomization.*?)```/s.exec(page)?.[1] ?? '')
  const [resource = ''] = overlay.resources
  const path = resource.replace('hookline/deploy/kubernetes/', '')
  const objects = renderKustomization({ ...overlay, resources: [path] })

  const [settings, ...others] = ofKind<IConfigMap>(objects, 'ConfigMap')
  expect(others).toEqual([])
  expect(settings?.data).toEqual({
    BASE_URL: 'https://webhooks.example.org',
    TRUSTED_PROXIES: '10.42.0.0/16',
  })
  const images = new Set(workloads(objects).map(({ container }) => container.image))
  expect([...images]).toEqual([`registry.example.org/hookline-server@sha256:${'0'.repeat(64)}`])
  expect(workload(objects, 'api').container.envFrom?.[0]?.configMapRef?.name).toBe(settings?.metadata.name)
})

describe('defects are found:', () => {
  test.each(podRules)('a pod that violates "$name"', ({ holds, defect: [path, value] }) => {
    const objects = withDefect('Deployment hookline-worker', `spec.template.spec.${path}`, value)
    const violations = workloads(objects).filter((one) => !holds(one))
    expect(violations.map(({ name }) => name)).toEqual(['hookline-worker'])
  })

  test.each(objectRules)('a violation of "$name"', ({ problems, defect: [object, path, value] }) => {
    expect(problems(withDefect(object, path, value))).not.toEqual([])
  })

  test.each([
    [
      'an unknown field',
      'spec.template.spec.containers.0.imagePullPolice',
      'Always',
      /imagePullPolice: unknown/,
    ],
    ['a wrong type', 'spec.replicas', 'three', /replicas must be integer/],
    ['a missing field', 'spec.selector', undefined, /must have required property selector/],
  ])('%s', (_name, path, value, problem) => {
    const problems = withDefect('Deployment hookline-api', path, value).flatMap(schemaProblems)
    expect(problems).toEqual([expect.stringMatching(problem)])
  })
})

/** Returns the objects of the overlay production with one changed field. A generated name matches by its start. */
function withDefect(object: string, path: string, value: unknown): KubernetesObject[] {
  const objects = structuredClone(production)
  const changed = objects.find(({ kind, metadata }) => `${kind} ${metadata.name}`.startsWith(object))
  const fields = path.split('.')
  const last = fields.pop() ?? ''
  let parent = changed as unknown as Record<string, unknown>
  for (const field of fields) parent = parent[field] as Record<string, unknown>
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return objects
}
