import { CardPage } from '../ui/layout/card-page.tsx'
import { ButtonLink } from '../ui/layout/links.tsx'

export function NotFoundPage() {
  return (
    <CardPage title="Page not found" description="The URL is wrong or the page was removed.">
      <ButtonLink to="/" fullWidth>
        Go to overview
      </ButtonLink>
    </CardPage>
  )
}
