/** Reads the fields of a `multipart/form-data` body. Files are rejected. */
import { getMultipartBoundary, MaxPartsExceededError, parseMultipart } from '@remix-run/multipart-parser'
import { ApiError } from '../../model/errors.ts'

type Field = readonly [name: string, value: string]

/**
 * The limit of RFC 2046. The search for a boundary takes time in proportion to its length: 15 kB would block the process
 * for half a second, before authentication.
 */
const maxBoundaryLength = 70
/** About twice the headers of a field. The parser takes quadratic time for them. */
const maxHeaderSize = 256

export function readMultipart(contentType: string, body: Buffer, maxParts: number): Field[] {
  const boundary = getMultipartBoundary(contentType)?.trim()
  if (!boundary || boundary.length > maxBoundaryLength)
    throw new ApiError(
      'malformedRequest',
      `The Content-Type of a multipart body needs a boundary of 1 to ${maxBoundaryLength} characters.`,
    )
  try {
    return [...parseMultipart(body, { boundary, maxHeaderSize, maxParts })].map((part) => {
      if (part.filename !== undefined)
        throw new ApiError('malformedRequest', 'Files are not supported. Send each parameter as a field.')
      return [part.name ?? '', part.text]
    })
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (error instanceof MaxPartsExceededError) throw tooManyParams(maxParts)
    throw new ApiError('malformedRequest', 'The multipart body is malformed or incomplete.')
  }
}

export function tooManyParams(max: number): ApiError {
  return new ApiError('malformedRequest', `More than ${max} parameters were sent.`)
}
