import { CardPage } from '../parts/card-page.tsx'
import { ButtonLink } from '../parts/links.tsx'

export function NotFoundPage() {
  return (
    <CardPage title="There is nothing here" about="The address may be mistyped, or what was here is gone.">
      <ButtonLink to="/" fullWidth>
        Go to the overview
      </ButtonLink>
    </CardPage>
  )
}
