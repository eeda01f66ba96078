import { errorBody } from '../http/server/envelope.ts'

export const body = errorBody
