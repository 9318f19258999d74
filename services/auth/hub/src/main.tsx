import { render } from 'preact'
import { App } from './app'
import { loadSession } from './session'
import './styles/hub.css'

const root = document.getElementById('hub')
if (root !== null) render(<App />, root)
void loadSession()
