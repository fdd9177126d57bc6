// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.bench;

import io.keyslot.benchmarks.server.BenchmarkServers;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How a JVM is started in which something is measured: with the options and the class path of this one. */
final class JvmCommand {
    /** The same for all, and enough for a local cache with all entries. */
    private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g");

    /** What Hazelcast asks for to be fast. All have it, so that all have the same. */
    private static final List<String> OPENED = List.of(
            "--add-modules=java.se",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.management/sun.management=ALL-UNNAMED",
            "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED");

    private JvmCommand() {}

    /**
     * Returns the words before the name of the main class.
     *
     * @param classes directories with classes that are used instead of those of the class path
     */
    static List<String> of(BenchmarkServers servers, List<Path> classes) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(HEAP);
        command.addAll(OPENED);
        command.add("-D" + BenchmarkServers.PROPERTY + "=" + servers.property());
        command.add("-cp");
        command.add(
                Stream.concat(classes.stream().map(Path::toString), Stream.of(System.getProperty("java.class.path")))
                        .collect(Collectors.joining(File.pathSeparator)));
        return command;
    }
}
