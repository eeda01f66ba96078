import { call } from '../../test/call.ts'

export const request = call
