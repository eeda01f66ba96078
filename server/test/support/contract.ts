/** Shared setup and helpers for the tests of the /api/hooks contract. */
import { afterAll, beforeAll, expect } from 'vitest'
import { call, type CallResponse } from './http-call.ts'
import { startTestService, type TestService } from './test-service.ts'

export type Form = Record<string, string>

const integer = expect.toSatisfy((value: unknown) => Number.isInteger(value))

export const success = { success: true, code: null, id: integer, error_message: null }

export const hookA: Form = { target_url: 'https://example.com/a', event_type: 'sms_mo' }

export const listedA = {
  id: expect.stringMatching(/^[1-9]\d*$/),
  target_url: 'https://example.com/a',
  headers: '',
  event_type: 'sms_mo',
  event_filter: null,
  request_method: 'POST',
  enabled: true,
  created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
}

export const formType = 'application/x-www-form-urlencoded'

export let hookline: TestService

export let hooks: string

/** Statuses of failed calls: matching the error, or as in the original service. */
export const statusModes = ['http', 'original'] as const

type StatusMode = (typeof statusModes)[number]

let statuses: StatusMode = 'http'

/** Starts one service for the tests of a group. */
export function useContractService(mode: StatusMode): void {
  beforeAll(async () => {
    statuses = mode
    hookline = await startTestService({ ORIGINAL_STATUSES: String(mode === 'original') })
    hooks = `${hookline.url}/api/hooks`
  })
  afterAll(() => hookline.close())
}

export function create(key: string | undefined, form: Form, url = hooks): Promise<CallResponse> {
  return call(url, { method: 'POST', ...(key !== undefined && { key }), form })
}

export function remove(key: string, form: Form, url = hooks): Promise<CallResponse> {
  return call(url, { method: 'DELETE', key, form })
}

export async function list(
  key: string,
  url = hooks,
): Promise<Array<Record<'id' | 'created' | 'event_type', string>>> {
  return (await call(url, { key })).json.hooks
}

/** Returns the status that an error with an HTTP status has in the current mode. */
export function statusOf(status: number): number {
  const isKept = [401, 403, 500, 503].includes(status)
  return statuses === 'http' || isKept ? status : 200
}

/** Expects an error whose status follows the mode. */
export function expectError(response: CallResponse, status: number, code: number): void {
  expectErrorWith(response, statusOf(status), code)
}

/** An error has exactly these three fields, so neither `id` nor `hooks`. */
export function expectErrorWith(response: CallResponse, status: number, code: number): void {
  expect(response.json).toStrictEqual({
    success: false,
    code,
    error_message: expect.stringMatching(/^[A-Z]/),
  })
  expect(response.status).toBe(status)
}

/** Makes every insert into the versions of this account fail. */
export async function breakVersions(accountId: number): Promise<void> {
  await hookline.database.query(`
    CREATE OR REPLACE FUNCTION planted_${accountId}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'planted'; END $$;
    CREATE TRIGGER planted_${accountId} BEFORE INSERT ON hook_versions FOR EACH ROW
      WHEN (NEW.account_id = ${accountId}) EXECUTE FUNCTION planted_${accountId}();
  `)
}
