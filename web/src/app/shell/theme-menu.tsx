/** Theme menu: light, dark or system. */
import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type LoadedMenuProps, OpeningMenu } from '../../ui/layout/opening-menu.tsx'
import { themes } from './themes.ts'

export function ThemeMenu(button: LoadedMenuProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <OpeningMenu {...button} position="bottom-end" width={160}>
      <Menu.RadioGroup
        value={colorScheme}
        onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
      >
        {themes.map(({ scheme, title, icon: Icon }) => (
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
    </OpeningMenu>
  )
}
