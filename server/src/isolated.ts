/** Entry point of isolated processes. They have no database. The first message brings their settings. */
import { createDispatch, type DispatchSettings } from './service/transport.ts'
import { createHandlers } from './delivery/isolated-jobs.ts'
import { serveJobs } from './delivery/isolation/serve-jobs.ts'

serveJobs((setup) => createHandlers((now) => createDispatch(setup as DispatchSettings, now).send))
