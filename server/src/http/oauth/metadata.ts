/** Authorization server metadata (RFC 8414), limited to the features that Hookline offers. */
import { appScopes } from '../../identity/oauth/app-scopes.ts'
import { issuerOf, routes } from '../../identity/oauth/provider.ts'

/** The path of the RFC, and two paths for clients that append the suffix to the issuer. */
export const metadataPaths = [
  '/.well-known/oauth-authorization-server/oauth',
  '/oauth/.well-known/oauth-authorization-server',
  '/oauth/.well-known/openid-configuration',
]

export function metadata(baseUrl: URL): Record<string, unknown> {
  const issuer = issuerOf(baseUrl)
  const methods = ['client_secret_basic', 'client_secret_post']
  return {
    issuer,
    authorization_endpoint: issuer + routes.authorization,
    token_endpoint: issuer + routes.token,
    revocation_endpoint: issuer + routes.revocation,
    introspection_endpoint: issuer + routes.introspection,
    scopes_supported: appScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: [...methods, 'none'],
    revocation_endpoint_auth_methods_supported: [...methods, 'none'],
    introspection_endpoint_auth_methods_supported: methods,
    authorization_response_iss_parameter_supported: true,
    service_documentation: new URL('/docs', baseUrl).href,
  }
}
