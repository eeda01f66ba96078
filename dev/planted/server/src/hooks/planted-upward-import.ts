import { failureBody } from '../http/envelope.ts'

export const body = failureBody
