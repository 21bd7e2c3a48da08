import { Command, Option } from 'commander'
import { z } from 'zod'

export const libraries = { Command, Option, z }
