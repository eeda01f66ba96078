/** Hides the password and the values of the query, which are often secrets. Works for templates too. */
export function maskUrl(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/?#]*@/, '$1…@').replaceAll(/([?&][^=&#]*=)[^&#]*/g, '$1…')
}

export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'an invalid URL'
}
