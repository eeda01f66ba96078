import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { areaQuery } from '../../api/api.ts'
import { CardPage } from '../../parts/card-page.tsx'
import { TextLink } from '../../parts/links.tsx'
import { SignInForm } from './sign-in-form.tsx'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const router = useRouter()
  const { return_to: returnTo } = route.useSearch()
  const area = useQuery(areaQuery).data
  const foot =
    area?.registration === true ? (
      <>
        No account yet? <TextLink to="/register">Create one</TextLink>
      </>
    ) : (
      area?.operator_contact && <>No account yet? Ask {area.operator_contact}.</>
    )
  return (
    <CardPage
      title="Sign in"
      about="To the developer area: webhooks, keys and apps of your account."
      foot={foot}
    >
      <SignInForm whenDone={() => router.history.push(returnTo ?? '/')} />
    </CardPage>
  )
}
