/** Themes that the user can choose. */
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

export const themes = [
  { scheme: 'light', title: 'Light', icon: IconSun },
  { scheme: 'dark', title: 'Dark', icon: IconMoon },
  { scheme: 'auto', title: 'System', icon: IconDeviceDesktop },
] as const
