/** Links within the application that look like Mantine's buttons and anchors, checked against the table of routes. */
import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type Own<Props> = Props &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { ref?: Ref<HTMLAnchorElement> }

export const ButtonLink = createLink((props: Own<ButtonProps>) => <Button component="a" {...props} />)

export const TextLink = createLink((props: Own<AnchorProps>) => <Anchor {...props} />)

/** One of several tabs; which is the current one is said by the page. */
export const TabLink = createLink(({ isCurrent, ...props }: Own<{ isCurrent: boolean }>) => (
  <a {...props} aria-current={isCurrent ? 'page' : undefined} />
))
