/** Names of request formats. */
import type { RequestMethod } from '../api/types.ts'

interface RequestMethodText {
  /** Standalone: "Form data (POST)". */
  label: string
  /** After "send it as": "form data (POST)". */
  choice: string
}

/** The recommended format first. */
export const requestMethodText: Record<RequestMethod, RequestMethodText> = {
  JSON: { label: 'JSON (POST)', choice: 'JSON' },
  POST: { label: 'Form data (POST)', choice: 'form data (POST)' },
  GET: { label: 'Query string (GET)', choice: 'a query string (GET)' },
}

export const requestMethods = Object.keys(requestMethodText) as RequestMethod[]
