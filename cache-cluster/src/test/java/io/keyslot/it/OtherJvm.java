// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A second JVM with the class path of this one. */
public final class OtherJvm implements AutoCloseable {
    private static final long SECONDS_TO_END = 120;

    /** It lives for seconds, beside others: the second compiler and a collector with threads would cost more than they save. */
    private static final List<String> SHORT_INCARNATION = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Process process;
    private final BufferedReader output;

    private OtherJvm(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    public static OtherJvm start(Class<?> main, String... arguments) throws IOException {
        return start(SHORT_INCARNATION, main, arguments);
    }

    /** Starts it with these options of the JVM only, such as {@code -Xint}. */
    public static OtherJvm start(List<String> options, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return new OtherJvm(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Waits for the line with which it says that it is ready. */
    public void awaitLine(String expected) throws IOException {
        assertThat(output.readLine()).as("the other JVM says that it is ready").isEqualTo(expected);
    }

    /** Returns the next line that it prints; fails if it has ended. */
    public String readLine() throws IOException {
        String line = output.readLine();
        assertThat(line).as("the other JVM answers").isNotNull();
        return line;
    }

    /** Returns what it has printed since the line that was read last; to be called when it has ended. */
    public List<String> remainingLines() {
        return output.lines().toList();
    }

    public void say(String line) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).append(line).append('\n').flush();
    }

    /** Returns after this time, for which it must have run. */
    public void runFor(Duration duration) throws InterruptedException {
        assertThat(process.waitFor(duration.toNanos(), TimeUnit.NANOSECONDS))
                .as("the other JVM has ended")
                .isFalse();
    }

    /** Lets it do nothing any more, as a long garbage collection does: SIGSTOP. */
    public void suspend() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** Lets it go on after {@link #suspend}: SIGCONT. */
    public void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        assertThat(status).as("status of kill -%s", name).isZero();
    }

    /** Tells it to end, and returns what its exit value is then. */
    public int end() throws IOException, InterruptedException {
        signal("TERM");
        assertThat(process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS))
                .as("the other JVM ends")
                .isTrue();
        return process.exitValue();
    }

    public void awaitSuccess() throws InterruptedException {
        assertThat(process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS))
                .as("the other JVM ends")
                .isTrue();
        assertThat(process.exitValue()).as("exit value of the other JVM").isZero();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join(); // what follows has the machine for itself
    }
}
