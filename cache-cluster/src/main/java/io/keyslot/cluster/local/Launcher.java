// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs servers on this machine, such that they are reached at ports of 127.0.0.1. Thread-safe. */
interface Launcher {
    /** Starts a server in a directory. Its output is appended to the log. */
    Process start(List<String> arguments, Path directory, Path log) throws IOException;

    /** Stops the server from running without ending it ({@code "STOP"}), or lets it go on ({@code "CONT"}). */
    void signal(Process server, String name) throws IOException;

    /** Returns whether the process that a server names by its id may be this one. */
    boolean isProcess(Process server, long id);

    /** Runs servers as child processes. */
    record OfProcesses(Path binary) implements Launcher {
        private static final int SECONDS_OF_KILL = 10;

        @Override
        public Process start(List<String> arguments, Path directory, Path log) throws IOException {
            List<String> command = new ArrayList<>(List.of(binary.toString()));
            command.addAll(arguments);
            return new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        }

        @Override
        public void signal(Process server, String name) throws IOException {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(server.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!LocalServer.ends(kill, SECONDS_OF_KILL, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new IllegalStateException("Cannot send SIG%s to process %d".formatted(name, server.pid()));
            }
        }

        @Override
        public boolean isProcess(Process server, long id) {
            return Stream.concat(Stream.of(server.toHandle()), server.descendants())
                    .anyMatch(process -> process.pid() == id);
        }

        @Override
        public String toString() {
            return String.valueOf(binary.getFileName());
        }
    }
}
