/** Compiles only while the host's plugin interface is what src/host.ts says. */
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import plugin from "../src/index.ts";

export const registers: (api: OpenClawPluginApi) => void = plugin.register;
