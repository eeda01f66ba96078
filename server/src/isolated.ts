/** The entry of isolated processes. They have no database and no settings but what they are sent first. */
import { createDispatch, type DispatchSettings } from './dispatch.ts'
import { createHandlers } from './pipeline/isolated-jobs.ts'
import { serveJobs } from './pipeline/isolation/serve-jobs.ts'

serveJobs((setup) => createHandlers((now) => createDispatch(setup as DispatchSettings, now).send))
