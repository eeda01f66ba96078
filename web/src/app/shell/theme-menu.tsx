/** Theme menu: light, dark or system. */
import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import styles from './menu.module.css'

const choices = [
  { scheme: 'light', title: 'Light', icon: IconSun },
  { scheme: 'dark', title: 'Dark', icon: IconMoon },
  { scheme: 'auto', title: 'System', icon: IconDeviceDesktop },
] as const

export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Current = choices.find(({ scheme }) => scheme === colorScheme)?.icon ?? IconSun
  return (
    <Menu position="bottom-end" width={160}>
      <Menu.Target>
        <ActionIcon className={styles.button} variant="subtle" color="gray" size="lg" aria-label="Theme">
          <Current size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
        >
          {choices.map(({ scheme, title, icon: Icon }) => (
            <Menu.RadioItem
              key={scheme}
              value={scheme}
              closeMenuOnClick
              checkIcon={<IconCheck size={14} />}
              rightSection={<Icon size={16} stroke={1.6} />}
            >
              {title}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
