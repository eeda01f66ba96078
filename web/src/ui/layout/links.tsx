/** Type-safe internal links styled as Mantine buttons and anchors. */
import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type LinkElementProps<Props> = Props &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { ref?: Ref<HTMLAnchorElement> }

export const ButtonLink = createLink((props: LinkElementProps<ButtonProps>) => (
  <Button component="a" {...props} />
))

export const TextLink = createLink((props: LinkElementProps<AnchorProps>) => <Anchor {...props} />)

/** Tab link. The page sets the current tab. */
export const TabLink = createLink(({ isCurrent, ...props }: LinkElementProps<{ isCurrent: boolean }>) => (
  <a {...props} aria-current={isCurrent ? 'page' : undefined} />
))
