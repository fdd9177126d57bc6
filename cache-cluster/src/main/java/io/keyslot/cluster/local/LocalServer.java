// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.local;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One server process on a port of 127.0.0.1, which can be killed, suspended and started again.
 *
 * <p>Safe for use by several threads. The methods wait until what they ask for has happened.
 */
public final class LocalServer implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final String PROCESS = "process_id:";
    private static final int PAUSE_MILLIS = 20;

    /** 15 seconds; a large file to load takes most of it. */
    private static final int ATTEMPTS = 750;

    private static final int PING_TIMEOUT_MILLIS = 1_000;
    private static final int SECONDS_TO_END = 10;
    private static final int LOG_LINES_SHOWN = 10;

    private final Path binary;
    private final Path directory;
    private final int port;
    private final List<String> arguments;
    private @Nullable Process process;
    private volatile boolean isSuspended;

    LocalServer(Path binary, Path parent, int port, List<String> arguments) {
        this.binary = binary;
        this.directory = parent.resolve(Integer.toString(port));
        this.port = port;
        this.arguments = arguments;
    }

    /** Returns the port that it listens on, also after a restart. */
    public int port() {
        return port;
    }

    /** Returns its address without credentials: {@code redis://127.0.0.1:6379}. */
    public String uri() {
        return "redis://" + HOST + ":" + port;
    }

    /** Returns where it keeps its files. */
    public Path directory() {
        return directory;
    }

    /** Returns the process that was started last. */
    public synchronized Process process() {
        if (process == null) {
            throw new IllegalStateException("The server on port %d was never started".formatted(port));
        }
        return process;
    }

    /** Returns whether its process lives and is not suspended, so that it should answer. */
    public boolean isRunning() {
        return process().isAlive() && !isSuspended;
    }

    /** Returns 127.0.0.1, also in a JVM that prefers IPv6. */
    static InetAddress loopback() throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    synchronized void start() {
        try {
            Files.createDirectories(directory);
            isSuspended = false;
            process = new ProcessBuilder(commandLine())
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start %s".formatted(binary), e);
        }
        awaitAnswer(process);
    }

    private List<String> commandLine() {
        List<String> command = new ArrayList<>(List.of(binary.toString()));
        boolean hasFile = !arguments.isEmpty() && !arguments.get(0).startsWith("--");
        if (hasFile) {
            command.add(arguments.get(0)); // servers take it as the first argument only
        }
        command.addAll(List.of("--port", Integer.toString(port)));
        command.addAll(List.of("--bind", HOST, "--protected-mode", "yes", "--dir", directory.toString()));
        command.addAll(List.of("--save", "", "--appendonly", "no"));
        command.addAll(hasFile ? arguments.subList(1, arguments.size()) : arguments);
        return command;
    }

    private void awaitAnswer(Process started) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (ends(started, PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("%s on port %d ended at once with status %d; its log ends with:%n%s"
                        .formatted(binary.getFileName(), port, started.exitValue(), endOfLog()));
            }
            if (answers(started)) {
                return;
            }
        }
        throw new IllegalStateException("%s on port %d does not answer PING; its log ends with:%n%s"
                .formatted(binary.getFileName(), port, endOfLog()));
    }

    /** Returns whether what listens on the port answers, and is this process: another one may have been faster to take it. */
    private boolean answers(Process started) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(loopback(), port), PING_TIMEOUT_MILLIS);
            socket.setSoTimeout(PING_TIMEOUT_MILLIS);
            socket.getOutputStream().write("PING\r\nINFO server\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII));
            BufferedReader answers =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            String answer = answers.readLine();
            // A server that wants a password is ready; one that still loads its file is not.
            return answer != null
                    && (answer.startsWith("-NOAUTH") || (answer.startsWith("+PONG") && !isAnother(started, answers)));
        } catch (IOException e) {
            // Not listening yet. That it never does is told by the caller, with the log.
            return false;
        }
    }

    /** Reads what a server says of itself up to the second PONG; one that does not say which process it is may be the one. */
    private static boolean isAnother(Process started, BufferedReader answers) throws IOException {
        boolean isAnother = false;
        for (String line = answers.readLine(); line != null && !line.startsWith("+PONG"); line = answers.readLine()) {
            if (line.startsWith(PROCESS)) {
                long id = Long.parseLong(line.substring(PROCESS.length()));
                isAnother = Stream.concat(Stream.of(started.toHandle()), started.descendants())
                        .noneMatch(process -> process.pid() == id);
            }
        }
        return isAnother;
    }

    private Path log() {
        return directory.resolve("server.log");
    }

    private String endOfLog() {
        try {
            List<String> lines = Files.readAllLines(log());
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()));
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }

    /** Ends the process as {@code kill -9} does: at once, without a word to its clients' commands or to its files. */
    public void kill() {
        Process running = process();
        running.destroyForcibly();
        if (!ends(running, SECONDS_TO_END, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The server on port %d does not end".formatted(port));
        }
    }

    /** Lets the process do nothing any more, while its sockets stay open: SIGSTOP. */
    public void suspend() {
        signal("STOP");
        isSuspended = true;
    }

    /** Lets a suspended process go on: SIGCONT. */
    public void resume() {
        signal("CONT");
        isSuspended = false;
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder(
                            "kill", "-" + name, Long.toString(process().pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!ends(kill, SECONDS_TO_END, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new IllegalStateException("Cannot send SIG%s to the server on port %d".formatted(name, port));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot run kill", e);
        }
    }

    /** Kills the process if it runs, and starts another one with the same port, arguments and files. */
    public synchronized void restart() {
        kill();
        start();
    }

    /** Ends the process; nothing is saved. Does nothing if it has ended. */
    @Override
    public synchronized void close() {
        if (process != null) {
            kill();
        }
    }

    private static boolean ends(Process process, long timeout, TimeUnit unit) {
        try {
            return process.waitFor(timeout, unit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for a local server", e);
        }
    }

    @Override
    public String toString() {
        return uri();
    }
}
