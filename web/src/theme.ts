/**
 * The look: Inter, one accent, calm greys. Every pair of text and ground that is set here keeps a contrast of at least
 * 4.5, in light and dark; components take their colours from the variables below and never name one themselves.
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

/** From text to the darkest ground. */
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
    // In its place on the page, with the focus on its first item.
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } },
    ModalRoot: { defaultProps: { centered: true, padding: 'lg' } },
    Tooltip: {
      defaultProps: { withArrow: true, openDelay: 250, events: { hover: true, focus: true, touch: true } },
    },
    Skeleton: { defaultProps: { radius: 'sm' } },
  },
})

const light = {
  '--ground': '#fcfcfd',
  '--ground-side': '#f6f7f9',
  '--surface': '#ffffff',
  '--surface-sunk': '#f6f7f9',
  '--surface-hover': '#f3f4f7',
  '--line': '#e5e7ec',
  '--line-strong': '#cfd3db',
  '--text': '#16181d',
  '--text-quiet': '#585f6c',
  '--accent': '#3653d0',
  '--accent-ground': '#eef2ff',
  '--good': '#0a6b4e',
  '--good-ground': '#e6f6ef',
  '--attention': '#855000',
  '--attention-ground': '#fef7e6',
  '--bad': '#b3261b',
  '--bad-ground': '#fdeeec',
  '--shadow': '0 1px 2px rgb(16 24 40 / 4%)',
}

const darkValues: typeof light = {
  '--ground': '#0f1114',
  '--ground-side': '#0b0d0f',
  '--surface': '#15171b',
  '--surface-sunk': '#0f1114',
  '--surface-hover': '#1d2025',
  '--line': '#262a31',
  '--line-strong': '#3b404a',
  '--text': '#e7e9ee',
  '--text-quiet': '#9ba2af',
  '--accent': '#9db1ff',
  '--accent-ground': '#1b2340',
  '--good': '#5cd3a8',
  '--good-ground': '#10281f',
  '--attention': '#efba5e',
  '--attention-ground': '#2b2110',
  '--bad': '#ff8d82',
  '--bad-ground': '#331715',
  '--shadow': 'none',
}

/** Mantine's own variables take the values above, so that its parts and ours are of one piece. */
function mantineValues(values: typeof light): Record<string, string> {
  return {
    ...values,
    '--mantine-color-body': values['--surface'],
    '--mantine-color-text': values['--text'],
    '--mantine-color-dimmed': values['--text-quiet'],
    '--mantine-color-placeholder': values['--text-quiet'],
    '--mantine-color-anchor': values['--accent'],
    '--mantine-color-error': values['--bad'],
    '--mantine-color-default': values['--surface'],
    '--mantine-color-default-hover': values['--surface-hover'],
    '--mantine-color-default-color': values['--text'],
    '--mantine-color-default-border': values['--line-strong'],
    '--mantine-color-accent-light': values['--accent-ground'],
    '--mantine-color-accent-light-color': values['--accent'],
    '--mantine-color-red-light': values['--bad-ground'],
    '--mantine-color-red-light-color': values['--bad'],
    '--mantine-color-red-6': values['--bad'],
    '--mantine-color-red-filled': '#c0281c',
    '--mantine-color-red-filled-hover': '#a11f15',
  }
}

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: mantineValues(light),
  dark: mantineValues(darkValues),
})
