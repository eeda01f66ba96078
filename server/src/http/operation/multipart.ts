/** Reads the fields of a `multipart/form-data` body. Files are rejected. */
import { getMultipartBoundary, parseMultipart } from '@remix-run/multipart-parser'
import { ApiError } from '../../model/errors.ts'

type Field = readonly [name: string, value: string]

const maxPartHeaderBytes = 1024

export function readMultipart(contentType: string, body: Buffer): Field[] {
  const boundary = getMultipartBoundary(contentType)?.trim()
  if (!boundary)
    throw new ApiError('malformedRequest', 'The Content-Type of the multipart body has no boundary.')
  try {
    return [...parseMultipart(body, { boundary, maxHeaderSize: maxPartHeaderBytes })].map((part) => {
      if (part.filename !== undefined)
        throw new ApiError('malformedRequest', 'Files are not supported. Send each parameter as a field.')
      return [part.name ?? '', part.text]
    })
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('malformedRequest', 'The multipart body is malformed or incomplete.')
  }
}
