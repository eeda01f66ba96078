/** Rules that every rendered pod must fulfil, each with a defect that it must find. */
import serverPackage from '../../package.json' with { type: 'json' }
import { settings } from '../../src/config.ts'
import type { Workload } from './workloads.ts'

interface PodRule {
  name: string
  holds: (workload: Workload) => boolean
  /** The path of a field in the spec of a pod, and a value that violates the rule. */
  defect: [path: string, value: unknown]
}

const isProcess = ({ role }: Workload): boolean => role !== 'migrate'

/** The names of environment variables that may be set. Secrets must come from files. */
export const settingNames = new Set(
  Object.values(settings).map((setting) => (setting.isSecret ? `${setting.name}_FILE` : setting.name)),
)

export const podRules: PodRule[] = [
  {
    name: 'runs without root',
    holds: ({ pod }) => pod.securityContext?.runAsNonRoot === true,
    defect: ['securityContext.runAsNonRoot', false],
  },
  {
    name: 'runs as the user of the image',
    holds: ({ pod: { securityContext } }) =>
      securityContext?.runAsUser === 10_001 && securityContext.runAsGroup === 10_001,
    defect: ['securityContext.runAsUser', 0],
  },
  {
    name: 'has the default seccomp profile',
    holds: ({ pod }) => pod.securityContext?.seccompProfile?.type === 'RuntimeDefault',
    defect: ['securityContext.seccompProfile.type', 'Unconfined'],
  },
  {
    name: 'cannot escalate privileges',
    holds: ({ container }) => container.securityContext?.allowPrivilegeEscalation === false,
    defect: ['containers.0.securityContext.allowPrivilegeEscalation', true],
  },
  {
    name: 'has no capabilities',
    holds: ({ container }) =>
      JSON.stringify(container.securityContext?.capabilities) === JSON.stringify({ drop: ['ALL'] }),
    defect: ['containers.0.securityContext.capabilities.add', ['NET_ADMIN']],
  },
  {
    name: 'has a read-only root file system',
    holds: ({ container }) => container.securityContext?.readOnlyRootFilesystem === true,
    defect: ['containers.0.securityContext.readOnlyRootFilesystem', false],
  },
  {
    name: 'overrides no security setting of the pod in its container',
    holds: ({ container }) =>
      Object.keys(container.securityContext ?? {}).every((field) =>
        ['allowPrivilegeEscalation', 'readOnlyRootFilesystem', 'capabilities'].includes(field),
      ),
    defect: ['containers.0.securityContext.privileged', true],
  },
  {
    name: 'shares nothing with the host',
    holds: ({ pod }) =>
      !pod.hostNetwork &&
      !pod.hostPID &&
      !pod.hostIPC &&
      (pod.volumes ?? []).every((volume) => 'secret' in volume || 'projected' in volume),
    defect: ['volumes.0', { name: 'secrets', hostPath: { path: '/etc' } }],
  },
  {
    name: 'gets no token of the Kubernetes API',
    holds: ({ pod }) => pod.automountServiceAccountToken === false,
    defect: ['automountServiceAccountToken', true],
  },
  {
    name: 'gets no addresses of services as environment variables',
    holds: ({ pod }) => pod.enableServiceLinks === false,
    defect: ['enableServiceLinks', true],
  },
  {
    name: 'requests CPU and memory, and has a limit of memory',
    holds: ({ container: { resources } }) =>
      resources?.requests?.cpu !== undefined &&
      resources.requests.memory !== undefined &&
      resources.limits?.memory !== undefined,
    defect: ['containers.0.resources.limits', {}],
  },
  {
    name: 'has an image with the version of the server',
    holds: ({ container }) => container.image?.endsWith(`:${serverPackage.version}`) === true,
    defect: ['containers.0.image', 'registry.example.com/hookline-server:latest'],
  },
  {
    name: 'has only environment variables that are settings, and no secret values',
    holds: ({ container }) =>
      (container.env ?? []).every(({ name, valueFrom }) => settingNames.has(name) && valueFrom === undefined),
    defect: ['containers.0.env.0', { name: 'DATABASE_URL', value: 'postgres://hookline@database/hookline' }],
  },
  {
    name: 'has the required settings',
    holds: ({ container }) =>
      ['DATABASE_URL_FILE', 'MASTER_KEY_FILE'].every((name) =>
        container.env?.some((variable) => variable.name === name),
      ),
    defect: ['containers.0.env', []],
  },
  {
    name: 'mounts the files that its settings name',
    holds: (workload) => {
      const files = mountedFiles(workload)
      return (workload.container.env ?? []).every(
        ({ name, value }) => !name.endsWith('_FILE') || files.includes(value ?? ''),
      )
    },
    defect: ['containers.0.env.1.value', '/run/secrets/hookline/another'],
  },
  {
    name: 'lets only its own group read the secrets',
    holds: ({ pod }) =>
      pod.securityContext?.fsGroup === 10_001 &&
      (pod.volumes ?? []).every(({ secret, projected }) => (secret ?? projected)?.defaultMode === 0o440),
    defect: ['securityContext.fsGroup', undefined],
  },
  {
    name: 'has a liveness and a startup probe without dependencies',
    holds: (workload) =>
      !isProcess(workload) ||
      [workload.container.livenessProbe, workload.container.startupProbe].every(
        (probe) => probe?.httpGet?.path === '/health/live' && probe.httpGet.port === 'internal',
      ),
    defect: ['containers.0.livenessProbe.httpGet.path', '/health/ready'],
  },
  {
    name: 'has a readiness probe that waits for the checks, which time out after 4 s',
    holds: (workload) => {
      const probe = workload.container.readinessProbe
      return (
        !isProcess(workload) ||
        (probe?.httpGet?.path === '/health/ready' &&
          probe.httpGet.port === 'internal' &&
          (probe.timeoutSeconds ?? 1) >= 5)
      )
    },
    defect: ['containers.0.readinessProbe.timeoutSeconds', 1],
  },
  {
    name: 'has time to finish attempts in flight',
    holds: (workload) => !isProcess(workload) || workload.pod.terminationGracePeriodSeconds === 45,
    defect: ['terminationGracePeriodSeconds', undefined],
  },
  {
    name: 'is spread over zones and nodes',
    holds: (workload) =>
      !isProcess(workload) ||
      ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].every((key) =>
        workload.pod.topologySpreadConstraints?.some(({ topologyKey }) => topologyKey === key),
      ),
    defect: ['topologySpreadConstraints', []],
  },
  {
    name: 'runs the command of its role',
    holds: ({ role, container }) => container.args?.join(' ') === role && container.command === undefined,
    defect: ['containers.0.args', ['all']],
  },
]

function mountedFiles({ pod, container }: Workload): string[] {
  return (container.volumeMounts ?? []).flatMap(({ name, mountPath, readOnly }) => {
    const volume = (pod.volumes ?? []).find((one) => one.name === name)
    const items =
      volume?.secret?.items ?? volume?.projected?.sources?.flatMap((one) => one.secret?.items ?? [])
    return readOnly ? (items ?? []).map(({ path }) => `${mountPath}/${path}`) : []
  })
}
