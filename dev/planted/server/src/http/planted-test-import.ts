import { call } from '../../test/support/http-call.ts'

export const request = call
