/** Validates Kubernetes objects by the schemas of their API. Unknown fields are problems too, as with strict servers. */
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject'
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor'
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { Namespace } from 'kubernetes-models/v1/Namespace'
import { Service } from 'kubernetes-models/v1/Service'
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount'
import type { KubernetesObject } from './render.ts'

interface Model {
  apiVersion: string
  kind: string
  /** Validates `this`. */
  prototype: { validate: () => void }
}

const models: Model[] = [
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  PodMonitor,
  PrometheusRule,
  ScaledObject,
  Service,
  ServiceAccount,
]

export function schemaProblems(object: KubernetesObject): string[] {
  const { apiVersion, kind } = object
  const model = models.find((one) => one.apiVersion === apiVersion && one.kind === kind)
  if (model === undefined) return [`${apiVersion} ${kind}: unknown type`]
  const { watched, unreadFields } = watchReads(object)
  const problems: string[] = []
  try {
    model.prototype.validate.call(watched)
  } catch (error) {
    problems.push(String(error))
  }
  problems.push(...unreadFields().map((path) => `${path}: unknown field`))
  return problems.map((problem) => `${kind} ${object.metadata.name}: ${problem}`)
}

/**
 * Returns the object behind proxies that record which fields are read. The generated validators read every field that
 * they know and ignore others, so a field that was never read is unknown.
 */
function watchReads(root: object): { watched: object; unreadFields: () => string[] } {
  const read = new Map<object, Set<PropertyKey>>()
  const watch = (value: unknown): unknown => {
    if (!isObject(value)) return value
    const fields = read.get(value) ?? new Set()
    read.set(value, fields)
    return new Proxy(value, {
      get: (target, field) => {
        fields.add(field)
        return watch(Reflect.get(target, field))
      },
    })
  }
  const unread = (value: object, path: string): string[] =>
    Object.entries(value).flatMap(([field, inner]: [string, unknown]) => {
      if (!read.get(value)?.has(field)) return [`${path}/${field}`]
      return isObject(inner) ? unread(inner, `${path}/${field}`) : []
    })
  return { watched: watch(root) as object, unreadFields: () => unread(root, '') }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
