import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { configQuery } from '../../api/client.ts'
import { CardPage } from '../../ui/layout/card-page.tsx'
import { TextLink } from '../../ui/layout/links.tsx'
import { SignInForm } from './sign-in-form.tsx'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const router = useRouter()
  const { return_to: returnTo, link_sso: linksSso } = route.useSearch()
  const config = useQuery(configQuery).data
  const foot =
    config?.registration === true ? (
      <>
        No account yet? <TextLink to="/register">Create one</TextLink>
      </>
    ) : (
      config?.operator_contact && <>No account yet? Contact {config.operator_contact}.</>
    )
  if (linksSso === true)
    return (
      <CardPage
        title="Link your login"
        description="Sign in with your password once. From then on, the user of your identity provider signs in with this login."
      >
        <SignInForm purpose={{ link_sso: true }} />
      </CardPage>
    )
  return (
    <CardPage title="Sign in" description="Manage your webhooks, API keys and apps." foot={foot}>
      <SignInForm onSuccess={() => router.history.push(returnTo ?? '/')} returnTo={returnTo ?? '/'} />
    </CardPage>
  )
}
