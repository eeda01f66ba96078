import { listHooks } from '../hooks/list-hooks.ts'

export const list = listHooks
