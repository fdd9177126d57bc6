// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.move;

import io.keyslot.slot.SlotSet;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process of the application, as the one that measures sees it. */
final class LoadJvm implements AutoCloseable {
    private final Process process;
    private final BufferedReader lines;
    private final PrintWriter told;

    private LoadJvm(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
        this.told = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
    }

    /** Starts a process, and returns when it is at work. */
    static LoadJvm start(int jvm, LoadOptions options, Path log) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-cp", System.getProperty("java.class.path"), LoadMain.class.getName()));
        command.add(Integer.toString(jvm));
        command.addAll(options.words());
        try {
            LoadJvm load = new LoadJvm(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start());
            String line = load.lines.readLine();
            while (line != null && !line.equals("ready")) {
                line = load.lines.readLine(); // of the JVM itself
            }
            if (line == null) {
                load.close();
                throw new IllegalStateException("A process of the load did not begin; its log is " + log);
            }
            return load;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start a JVM", e);
        }
    }

    boolean is(ProcessHandle other) {
        return process.pid() == other.pid();
    }

    void phase(String name, SlotSet moving) {
        told.println("phase " + name + " " + (moving.isEmpty() ? "-" : moving.toString()));
    }

    /** Tells it to end, which it does in its own time: {@link #report}. */
    void end() {
        told.println("end");
    }

    void report(LoadReport report) {
        try {
            for (String line = lines.readLine(); !"done".equals(line); line = lines.readLine()) {
                if (line == null) {
                    throw new IllegalStateException("A process of the load ended without a report");
                }
                report.add(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read what a process has counted", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
