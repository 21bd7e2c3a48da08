import { httpBackend } from './api/http-backend.ts'
import { startPage } from './start-page.tsx'

startPage(httpBackend)
