import { createContext } from 'react'

/** Opens a resource of the tool's own server by its address; undefined if the server has no resources. */
export const OpenResource = createContext<((uri: string) => void) | undefined>(undefined)
