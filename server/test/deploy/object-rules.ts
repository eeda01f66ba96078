/** Rules about the relations between rendered objects, each with a defect that it must find. */
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment'
import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap'
import type { IService } from 'kubernetes-models/v1/Service'
import type { IServiceAccount } from 'kubernetes-models/v1/ServiceAccount'
import { settingNames } from './pod-rules.ts'
import type { KubernetesObject } from './render.ts'
import { matches, ofKind, type Selector, workload, workloads } from './workloads.ts'

interface ObjectRule {
  name: string
  problems: (objects: KubernetesObject[]) => string[]
  /** An object of the overlay production, the path of a field, and a value that violates the rule. */
  defect: [object: string, path: string, value: unknown]
}

export const objectRules: ObjectRule[] = [
  {
    name: 'objects are in the namespace of Hookline, which enforces restricted pods',
    problems: (objects) =>
      objects
        .filter(({ kind, metadata }) =>
          kind === 'Namespace'
            ? metadata.labels?.['pod-security.kubernetes.io/enforce'] !== 'restricted'
            : metadata.namespace !== 'hookline',
        )
        .map(({ metadata }) => metadata.name),
    defect: ['Namespace hookline', 'metadata.labels', {}],
  },
  {
    name: 'objects contain no secrets',
    problems: (objects) =>
      objects
        .filter((object) => object.kind === 'Secret' || /:\/\/[^/"]*@/.test(JSON.stringify(object)))
        .map(({ metadata }) => metadata.name),
    defect: ['ConfigMap hookline-settings', 'data.BASE_URL', 'https://user:password@hookline.example.com'],
  },
  {
    name: 'settings exist and are no secrets',
    problems: (objects) =>
      ofKind<IConfigMap>(objects, 'ConfigMap').flatMap(({ data = {} }) =>
        Object.keys(data).filter((name) => !settingNames.has(name)),
      ),
    defect: ['ConfigMap hookline-settings', 'data.MASTER_KEY', 'a key'],
  },
  {
    name: 'pods use a ConfigMap and a service account that exist',
    problems: (objects) =>
      workloads(objects).flatMap(({ container, pod }) => {
        const maps = (container.envFrom ?? []).map(({ configMapRef }) => `ConfigMap ${configMapRef?.name}`)
        const account = pod.serviceAccountName ? [`ServiceAccount ${pod.serviceAccountName}`] : []
        const names = new Set(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`))
        return [...maps, ...account].filter((name) => !names.has(name))
      }),
    defect: ['ServiceAccount hookline-api', 'metadata.name', 'another'],
  },
  {
    name: 'service accounts mount no token',
    problems: (objects) =>
      ofKind<IServiceAccount>(objects, 'ServiceAccount')
        .filter(({ automountServiceAccountToken }) => automountServiceAccountToken !== false)
        .map(({ metadata }) => metadata.name),
    defect: ['ServiceAccount hookline-api', 'automountServiceAccountToken', true],
  },
  {
    name: 'selectors match pods',
    problems: (objects) =>
      objects
        .flatMap((object) =>
          selectorsOf(object).map((selector) => ({ name: object.metadata.name, selector })),
        )
        .filter(({ selector }) => !workloads(objects).some(({ labels }) => matches(selector, labels)))
        .map(({ name, selector }) => `${name}: ${JSON.stringify(selector)}`),
    defect: ['PodMonitor hookline', 'spec.selector.matchExpressions.0.values', ['server']],
  },
  {
    name: 'deployments select their own pods only',
    problems: (objects) =>
      ofKind<IDeployment>(objects, 'Deployment')
        .filter(({ metadata, spec }) => {
          const selected = workloads(objects).filter(({ labels }) => matches(spec?.selector ?? {}, labels))
          return selected.map(({ name }) => name).join(' ') !== metadata.name
        })
        .map(({ metadata }) => metadata.name),
    defect: [
      'Deployment hookline-api',
      'spec.selector.matchLabels',
      { 'app.kubernetes.io/name': 'hookline' },
    ],
  },
  {
    name: 'services lead to ports of the api, each to one',
    problems: (objects) => {
      const ports = ofKind<IService>(objects, 'Service').map(({ metadata, spec }) => {
        const [port, ...others] = spec?.ports ?? []
        const target = workload(objects, 'api').container.ports?.find(({ name }) => name === port?.targetPort)
        const isApi = matches({ matchLabels: spec?.selector ?? {} }, workload(objects, 'api').labels)
        return isApi && others.length === 0 ? `${metadata.name} ${target?.containerPort}` : metadata.name
      })
      const expected = ['hookline 8080', 'hookline-internal 8081']
      return ports.filter((port, index) => port !== expected[index])
    },
    defect: ['Service hookline', 'spec.ports.0.targetPort', 'internal'],
  },
  {
    name: 'an Ingress has TLS and leads to the public service',
    problems: (objects) =>
      ofKind<IIngress>(objects, 'Ingress').flatMap(({ spec }) => {
        const encrypted = new Set((spec?.tls ?? []).flatMap(({ hosts }) => hosts ?? []))
        return (spec?.rules ?? []).flatMap(({ host = '', http }) => {
          const services = (http?.paths ?? []).map(
            ({ backend: { service } }) => `${service?.name} ${service?.port?.name}`,
          )
          const wrong = services.filter((service) => service !== 'hookline public')
          return encrypted.has(host) ? wrong : [...wrong, `${host} without TLS`]
        })
      }),
    defect: ['Ingress hookline', 'spec.tls', []],
  },
  {
    name: 'each role has a disruption budget of one pod',
    problems: (objects) => {
      const budgets = ofKind<IPodDisruptionBudget>(objects, 'PodDisruptionBudget')
      return ['api', 'worker'].filter((role) => {
        const own = budgets.filter(({ spec }) =>
          matches(spec?.selector ?? {}, workload(objects, role).labels),
        )
        return own.length !== 1 || own[0]?.spec?.maxUnavailable !== 1
      })
    },
    defect: ['PodDisruptionBudget hookline-worker', 'spec.maxUnavailable', 2],
  },
  {
    name: 'a Deployment with an autoscaler sets no number of replicas, and others do',
    problems: (objects) => {
      const autoscalers = objects.filter(
        ({ kind }) => kind === 'HorizontalPodAutoscaler' || kind === 'ScaledObject',
      )
      const scaled = new Set(autoscalers.map(({ metadata }) => metadata.name))
      return ofKind<IDeployment>(objects, 'Deployment')
        .filter(({ metadata, spec }) => scaled.has(metadata.name) !== (spec?.replicas === undefined))
        .map(({ metadata }) => metadata.name)
    },
    defect: ['Deployment hookline-worker', 'spec.replicas', 2],
  },
  {
    name: 'a rollout stops no process before its successor is ready',
    problems: (objects) =>
      ofKind<IDeployment>(objects, 'Deployment')
        .filter(({ spec }) => spec?.strategy?.rollingUpdate?.maxUnavailable !== 0)
        .map(({ metadata }) => metadata.name),
    defect: ['Deployment hookline-api', 'spec.strategy', undefined],
  },
  {
    name: 'the migration runs before the rollout and needs nothing but the Secret',
    problems: (objects) => {
      const [job] = ofKind<{ metadata: { annotations?: Record<string, string> } }>(objects, 'Job')
      const { pod, container } = workload(objects, 'migrate')
      const isHook = job?.metadata.annotations?.['argocd.argoproj.io/hook'] === 'PreSync'
      return isHook && !pod.serviceAccountName && !container.envFrom ? [] : ['hookline-migrate']
    },
    defect: ['Job hookline-migrate', 'metadata.annotations', {}],
  },
]

/** Returns the selectors of pods in an object, without those of NetworkPolicy peers, which can be elsewhere. */
function selectorsOf(object: KubernetesObject): Selector[] {
  switch (object.kind) {
    case 'Service':
      return [{ matchLabels: (object as IService).spec?.selector ?? {} }]
    case 'NetworkPolicy':
      return [(object as INetworkPolicy).spec?.podSelector ?? {}]
    case 'Deployment': {
      const { spec } = object as IDeployment
      const constraints = spec?.template.spec?.topologySpreadConstraints ?? []
      return [spec?.selector ?? {}, ...constraints.map(({ labelSelector }) => labelSelector ?? {})]
    }
    case 'PodDisruptionBudget':
    case 'PodMonitor':
      return [(object as { spec?: { selector?: Selector } }).spec?.selector ?? {}]
    default:
      return []
  }
}
