/** Reads pods, containers and labels from rendered objects. */
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment'
import type { IJob } from 'kubernetes-models/batch/v1/Job'
import type { IContainer } from 'kubernetes-models/v1/Container'
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec'
import type { KubernetesObject } from './render.ts'

export interface Workload {
  name: string
  role: string
  labels: Record<string, string>
  pod: IPodSpec
  container: IContainer
}

export function ofKind<T>(objects: KubernetesObject[], kind: string): Array<T & KubernetesObject> {
  return objects.filter((object) => object.kind === kind) as Array<T & KubernetesObject>
}

export function workloads(objects: KubernetesObject[]): Workload[] {
  const all = [...ofKind<IDeployment>(objects, 'Deployment'), ...ofKind<IJob>(objects, 'Job')]
  return all.map(({ metadata, spec }) => {
    const pod = spec?.template.spec
    const labels = spec?.template.metadata?.labels ?? {}
    const [container, ...others] = pod?.containers ?? []
    if (pod === undefined || container === undefined || others.length > 0 || pod.initContainers)
      throw new Error(`${metadata.name} does not have exactly one container.`)
    return { name: metadata.name, role: labels['app.kubernetes.io/component'] ?? '', labels, pod, container }
  })
}

export function workload(objects: KubernetesObject[], role: string): Workload {
  const found = workloads(objects).find((one) => one.role === role)
  if (found === undefined) throw new Error(`There is no ${role}.`)
  return found
}

export interface Selector {
  matchLabels?: Record<string, string>
  matchExpressions?: Array<{ key: string; operator: string; values?: string[] }>
}

export function matches(
  { matchLabels = {}, matchExpressions = [] }: Selector,
  labels: Record<string, string>,
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(
      ({ key, operator, values = [] }) => operator === 'In' && values.includes(labels[key] ?? ''),
    )
  )
}
