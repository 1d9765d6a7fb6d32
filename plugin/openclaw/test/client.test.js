import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { Client, Failure } from "../src/client.js";
import { Requester } from "../src/requester.js";
import { newState } from "../src/state.js";
import { daemon, fixture, hang, patient, send, wire } from "./daemon.js";

const soon = () => AbortSignal.timeout(patient);

test("requests and answers match the wire fixtures", async (t) => {
  const names = ["recall", "search_by_a_tool", "files", "workspaces"];
  for (const name of names) {
    const { request, answer } = fixture(name);
    const server = await daemon(t, (_, response) => send(response, answer.status, answer.body));
    const client = new Client(server.socket);
    const [path, query] = request.path.split("?");
    const parameters = {};
    for (const [key, value] of new URLSearchParams(query)) parameters[key] = parameters[key] === undefined ? value : [parameters[key], value].flat();
    const got = await (request.method === "POST" ? client.post(path, request.body, soon()) : client.get(path, parameters, soon()));
    assert.deepEqual(got, answer.body, name);
    const asked = server.asked.at(-1);
    assert.deepEqual([asked.method, asked.path, asked.body], [request.method, request.path, request.body], name);
    assert.equal(asked.headers.host, "localhost", name);
    assert.equal(asked.headers.origin, undefined, name);
  }
});

test("a service on another machine gets the token, and its workspace has a name only", async (t) => {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push([request.url, request.headers.authorization]);
    send(response, 200, { workspaces: [] });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const remote = { url: `http://127.0.0.1:${server.address().port}/`, token: "mt_1", workspace: "work" };
  const requester = new Requester("/nowhere/tiered.sock", { info() {}, warn() {} }, newState(), patient, remote);
  const answer = await requester.request("/home/sam/notes", (client, workspace, signal) => client.get("/v1/memories", { workspace }, signal));
  assert.deepEqual(answer, { workspaces: [] });
  assert.deepEqual(asked, [["/v1/memories?workspace=work", "Bearer mt_1"]]);
});

test("the daemon's errors keep code, message, hint and field", async (t) => {
  const server = await daemon(t, wire({}));
  for (const name of ["error_unavailable", "error_unknown_field", "error_not_found", "error_conflict"]) {
    const { status, body } = fixture(name).answer;
    server.answer = (_, response) => send(response, status, body);
    await assert.rejects(new Client(server.socket).workspaces(soon()), (failure) => {
      assert.deepEqual({ code: failure.code, message: failure.message, hint: failure.hint, field: failure.field }, body.error, name);
      assert.equal(failure.timedOut, false);
      return true;
    });
  }
});

test("an invalid answer is a Failure", async (t) => {
  const server = await daemon(t, hang);
  const cases = [
    ["not JSON", (_, response) => response.end("<html>"), "internal"],
    ["null", (_, response) => response.end("null"), "internal"],
    ["an error without a body", (_, response) => response.writeHead(500).end("{}"), "internal"],
    ["cut off", (_, response) => { response.writeHead(200, { "Content-Length": "100" }).write("{"); response.destroy(); }, "unavailable"],
    ["connection closed", (_, response) => response.destroy(), "unavailable"],
  ];
  for (const [name, answer, code] of cases) {
    server.answer = answer;
    await assert.rejects(new Client(server.socket).workspaces(soon()), (failure) => {
      assert.ok(failure instanceof Failure, name);
      assert.deepEqual([failure.code, failure.timedOut], [code, false], name);
      return true;
    });
  }
});

test("the timeout covers the body and the wait for it", async (t) => {
  const server = await daemon(t, hang);
  const drip = (_, response) => response.writeHead(200).write('{"workspaces":');
  for (const answer of [hang, drip]) {
    server.answer = answer;
    await assert.rejects(new Client(server.socket).workspaces(AbortSignal.timeout(40)), (failure) => failure instanceof Failure && failure.timedOut && failure.code === "unavailable");
  }
});

test("without a daemon the failure is unavailable, not a timeout", async () => {
  for (const socket of ["/nonexistent/tiered.sock", `/tmp/${"x".repeat(200)}/tiered.sock`]) {
    await assert.rejects(new Client(socket).workspaces(soon()), (failure) => failure instanceof Failure && failure.code === "unavailable" && !failure.timedOut && failure.message.includes(socket));
  }
});
