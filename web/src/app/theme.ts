/**
 * Theme: Inter, one accent color, neutral grays. Text has a contrast of at least 4.5 in light and dark mode. Components use
 * the CSS variables below and never define colors.
 */
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

const accent: MantineColorsTuple = [
  '#eef2ff',
  '#dfe6ff',
  '#bccaff',
  '#96abff',
  '#7690fc',
  '#5f7df8',
  '#4d6df3',
  '#4263eb',
  '#3653d0',
  '#2d46b3',
]

/** From text to the darkest background. */
const dark: MantineColorsTuple = [
  '#e7e9ee',
  '#c6cbd4',
  '#9ba2af',
  '#767d8a',
  '#3b404a',
  '#2a2e36',
  '#1c1f25',
  '#131519',
  '#0f1114',
  '#0a0b0d',
]

const gray: MantineColorsTuple = [
  '#f8f9fb',
  '#f1f3f6',
  '#e7e9ee',
  '#d9dde4',
  '#c3c8d2',
  '#9299a6',
  '#666d7a',
  '#4b515d',
  '#2d313a',
  '#16181d',
]

const mono =
  "ui-monospace, SFMono-Regular, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"

export const theme = createTheme({
  colors: { accent, dark, gray },
  primaryColor: 'accent',
  primaryShade: 7,
  black: '#16181d',
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: mono,
  fontSmoothing: true,
  headings: { fontWeight: '600' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Anchor: { defaultProps: { inherit: true, underline: 'always' } },
    // Rendered in place, with the focus on the first item.
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } },
    ModalRoot: { defaultProps: { centered: true, padding: 'lg' } },
    Tooltip: {
      defaultProps: { withArrow: true, openDelay: 250, events: { hover: true, focus: true, touch: true } },
    },
    Skeleton: { defaultProps: { radius: 'sm' } },
  },
})

const light = {
  '--bg': '#fcfcfd',
  '--bg-side': '#f6f7f9',
  '--surface': '#ffffff',
  '--surface-inset': '#f6f7f9',
  '--surface-hover': '#f3f4f7',
  '--border': '#e5e7ec',
  '--border-strong': '#cfd3db',
  '--text': '#16181d',
  '--text-muted': '#585f6c',
  '--accent': '#3653d0',
  '--accent-bg': '#eef2ff',
  '--success': '#0a6b4e',
  '--success-bg': '#e6f6ef',
  '--warning': '#855000',
  '--warning-bg': '#fef7e6',
  '--danger': '#b3261b',
  '--danger-bg': '#fdeeec',
  '--shadow': '0 1px 2px rgb(16 24 40 / 4%)',
}

const darkValues: typeof light = {
  '--bg': '#0f1114',
  '--bg-side': '#0b0d0f',
  '--surface': '#15171b',
  '--surface-inset': '#0f1114',
  '--surface-hover': '#1d2025',
  '--border': '#262a31',
  '--border-strong': '#3b404a',
  '--text': '#e7e9ee',
  '--text-muted': '#9ba2af',
  '--accent': '#9db1ff',
  '--accent-bg': '#1b2340',
  '--success': '#5cd3a8',
  '--success-bg': '#10281f',
  '--warning': '#efba5e',
  '--warning-bg': '#2b2110',
  '--danger': '#ff8d82',
  '--danger-bg': '#331715',
  '--shadow': 'none',
}

/** Maps Mantine's variables to the values above, so that its components match. */
function mantineValues(values: typeof light): Record<string, string> {
  return {
    ...values,
    '--mantine-color-body': values['--surface'],
    '--mantine-color-text': values['--text'],
    '--mantine-color-dimmed': values['--text-muted'],
    '--mantine-color-placeholder': values['--text-muted'],
    '--mantine-color-anchor': values['--accent'],
    '--mantine-color-error': values['--danger'],
    '--mantine-color-default': values['--surface'],
    '--mantine-color-default-hover': values['--surface-hover'],
    '--mantine-color-default-color': values['--text'],
    '--mantine-color-default-border': values['--border-strong'],
    '--mantine-color-accent-light': values['--accent-bg'],
    '--mantine-color-accent-light-color': values['--accent'],
    '--mantine-color-red-light': values['--danger-bg'],
    '--mantine-color-red-light-color': values['--danger'],
    '--mantine-color-red-6': values['--danger'],
    '--mantine-color-red-filled': '#c0281c',
    '--mantine-color-red-filled-hover': '#a11f15',
  }
}

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: mantineValues(light),
  dark: mantineValues(darkValues),
})
