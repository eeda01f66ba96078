/** Faults, with the alerts that must fire, and the paging alerts that may fire because of the same fault. */
import type { Environment } from '../faults/environment.ts'
import type { ServiceProcess } from '../../../dev/service-process.ts'

export interface Processes {
  api: ServiceProcess
  worker: ServiceProcess
}

export interface AlertScenario {
  name: string
  inject: (environment: Environment, processes: Processes) => Promise<unknown>
  /** Changes the processes if it starts new ones. */
  repair: (environment: Environment, processes: Processes) => Promise<unknown>
  /** `Alert{role}` for alerts of one role. */
  expected: readonly string[]
  tolerated: readonly string[]
}

const burns = ['HooklineSloBurn14x', 'HooklineSloBurn6x']

export const alertScenarios: readonly AlertScenario[] = [
  {
    name: 'worker stopped',
    inject: (_environment, { worker }) => worker.stop(),
    repair: async (environment, processes) => {
      processes.worker = await environment.startWorker()
    },
    expected: ['HooklineRoleAbsent{worker}', 'HooklineEventsNotRouted', ...burns],
    tolerated: [],
  },
  {
    name: 'database stopped',
    inject: ({ postgres }) => postgres.stop(),
    repair: (environment) => environment.startPostgres(),
    expected: ['HooklineUnavailable{api}', 'HooklineUnavailable{worker}'],
    // Events that were accepted before the outage are late.
    tolerated: ['HooklineEventsNotRouted', ...burns],
  },
  {
    name: 'all processes killed',
    inject: async (_environment, { api, worker }) => {
      api.child.kill('SIGKILL')
      worker.child.kill('SIGKILL')
    },
    repair: async (environment, processes) => {
      processes.api = await environment.startApi()
      processes.worker = await environment.startWorker()
    },
    expected: ['HooklineAbsent'],
    // The processes start one after the other, and events of before are late.
    tolerated: ['HooklineRoleAbsent{worker}', 'HooklineRoleAbsent{api}', 'HooklineEventsNotRouted', ...burns],
  },
  {
    name: 'receivers fail',
    // Too few for the circuit breakers, which would end the attempts before the alert sees them.
    inject: async ({ receivers }) => receivers.failRequests(0.6),
    repair: async ({ receivers }) => receivers.failRequests(0),
    expected: ['HooklineReceiversFailing'],
    tolerated: [],
  },
]
