import { ApiError } from '../../../model/errors.ts'

/** For calls that send something to a webhook that is disabled. */
export function hookDisabled(id: number): ApiError {
  return new ApiError('hookDisabled', `Webhook ${id} is disabled. Enable it first.`)
}
