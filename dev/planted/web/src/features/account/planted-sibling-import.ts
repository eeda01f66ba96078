export { NextSteps } from '../overview/next-steps.tsx'
