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
import org.jspecify.annotations.Nullable;

/**
 * A server process on a port of 127.0.0.1. Methods wait until their effect has happened. Safe for use by several
 * threads.
 */
public final class LocalServer implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final String PROCESS = "process_id:";
    private static final int PAUSE_MILLIS = 20;

    /** 15 seconds, mostly for loading a large file. */
    private static final int ATTEMPTS = 750;

    private static final int PING_TIMEOUT_MILLIS = 1_000;
    private static final int SECONDS_TO_END = 10;
    private static final int LOG_LINES_SHOWN = 10;

    private final Launcher launcher;
    private final Path directory;
    private final int port;
    private final List<String> arguments;
    private @Nullable Process process;
    private volatile boolean isSuspended;

    LocalServer(Launcher launcher, Path parent, int port, List<String> arguments) {
        this.launcher = launcher;
        this.directory = parent.resolve(Integer.toString(port));
        this.port = port;
        this.arguments = arguments;
    }

    /** Returns its port, which stays the same after a restart. */
    public int port() {
        return port;
    }

    /** Returns its address without credentials: {@code redis://127.0.0.1:6379}. */
    public String uri() {
        return "redis://" + HOST + ":" + port;
    }

    public Path directory() {
        return directory;
    }

    public synchronized Process process() {
        if (process == null) {
            throw new IllegalStateException("The server on port %d was never started".formatted(port));
        }
        return process;
    }

    /** Returns whether its process is alive and not suspended, so that it should answer. */
    public boolean isRunning() {
        return process().isAlive() && !isSuspended;
    }

    static InetAddress loopback() throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    synchronized void start() {
        try {
            Files.createDirectories(directory);
            isSuspended = false;
            process = launcher.start(allArguments(), directory, log());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start %s".formatted(launcher), e);
        }
        awaitAnswer(process);
    }

    private List<String> allArguments() {
        List<String> command = new ArrayList<>();
        boolean hasFile = !arguments.isEmpty() && !arguments.get(0).startsWith("--");
        if (hasFile) {
            command.add(arguments.get(0)); // servers accept it only as the first argument
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
                        .formatted(launcher, port, started.exitValue(), endOfLog()));
            }
            if (answers(started)) {
                return;
            }
        }
        throw new IllegalStateException(
                "%s on port %d does not answer PING; its log ends with:%n%s".formatted(launcher, port, endOfLog()));
    }

    /** Returns whether this process answers on the port: another one may have taken the port first. */
    private boolean answers(Process started) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(loopback(), port), PING_TIMEOUT_MILLIS);
            socket.setSoTimeout(PING_TIMEOUT_MILLIS);
            socket.getOutputStream().write("PING\r\nINFO server\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII));
            BufferedReader answers =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            String answer = answers.readLine();
            // A server that requires a password is ready; one that is still loading its file is not.
            return answer != null
                    && (answer.startsWith("-NOAUTH") || (answer.startsWith("+PONG") && !isAnother(started, answers)));
        } catch (IOException e) {
            // Not listening yet. The caller reports a timeout, with the log.
            return false;
        }
    }

    /** Parses the server's INFO up to the second PONG. A server that hides its process id may be the right one. */
    private boolean isAnother(Process started, BufferedReader answers) throws IOException {
        boolean isAnother = false;
        for (String line = answers.readLine(); line != null && !line.startsWith("+PONG"); line = answers.readLine()) {
            if (line.startsWith(PROCESS)) {
                long id = Long.parseLong(line.substring(PROCESS.length()));
                isAnother = !launcher.isProcess(started, id);
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

    /** Ends the process like {@code kill -9}, without replies to clients and without saving. */
    public void kill() {
        Process running = process();
        running.destroyForcibly();
        if (!ends(running, SECONDS_TO_END, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The server on port %d does not end".formatted(port));
        }
    }

    public void suspend() {
        signal("STOP");
        isSuspended = true;
    }

    public void resume() {
        signal("CONT");
        isSuspended = false;
    }

    private void signal(String name) {
        try {
            launcher.signal(process(), name);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot signal the server on port %d".formatted(port), e);
        }
    }

    /** Kills the process if it runs, and starts another one with the same port, arguments and files. */
    public synchronized void restart() {
        kill();
        start();
    }

    /** Ends the process without saving. */
    @Override
    public synchronized void close() {
        if (process != null) {
            kill();
        }
    }

    static boolean ends(Process process, long timeout, TimeUnit unit) {
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
