// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Hazelcast members with a process each, which end with this one: they read from it until there is nothing more. */
final class HazelcastMembers implements AutoCloseable {
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private final List<Process> processes = new ArrayList<>();
    private final List<String> addresses;

    private HazelcastMembers(List<String> addresses) {
        this.addresses = addresses;
    }

    /** Starts members at the same time, and waits until each has joined the others. */
    static HazelcastMembers start(int count) {
        List<String> addresses = Stream.generate(() -> "127.0.0.1:" + freePort())
                .distinct()
                .limit(count)
                .toList();
        HazelcastMembers members = new HazelcastMembers(addresses);
        try {
            addresses.forEach(address -> members.processes.add(startOne(address, addresses)));
            members.processes.forEach(HazelcastMembers::awaitReady);
            return members;
        } catch (RuntimeException e) {
            members.close();
            throw e;
        }
    }

    private static Process startOne(String address, List<String> all) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx2g"));
        command.addAll(openPackages());
        command.addAll(List.of(
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                HazelcastMember.class.getName(),
                address));
        command.addAll(all);
        try {
            return new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start a Hazelcast member", e);
        }
    }

    /** Returns the options by which this JVM has opened packages of the JDK to Hazelcast. */
    private static List<String> openPackages() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("--add-"))
                .toList();
    }

    private static void awaitReady(Process member) {
        BufferedReader output = member.inputReader();
        try {
            String line = output.readLine();
            while (line != null && !line.equals(HazelcastMember.READY)) {
                line = output.readLine();
            }
            if (line == null) {
                throw new IllegalStateException("A Hazelcast member ended before it was ready");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read what a Hazelcast member says", e);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(LOOPBACK))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot find a free port of 127.0.0.1", e);
        }
    }

    List<String> addresses() {
        return addresses;
    }

    List<Long> pids() {
        return processes.stream().map(Process::pid).toList();
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
    }
}
