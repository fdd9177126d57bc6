// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks;

import io.keyslot.benchmarks.contender.Conditions;
import io.keyslot.benchmarks.contender.Contender;
import io.keyslot.benchmarks.contender.ContenderType;
import io.keyslot.benchmarks.contender.Lifetime;
import io.keyslot.benchmarks.measure.RunningTrial;
import io.keyslot.benchmarks.server.BenchmarkServers;
import io.keyslot.benchmarks.server.ServerProcess;
import io.keyslot.benchmarks.workload.Batch;
import io.keyslot.benchmarks.workload.Operation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A contender with all its entries and its own servers, at the start of a trial. */
final class FilledContender implements AutoCloseable {
    private static final int SERVERS = 3;
    private static final int FILLING_THREADS = 4;

    private final BenchmarkServers servers;
    private final Contender contender;

    private FilledContender(BenchmarkServers servers, Contender contender) {
        this.servers = servers;
        this.contender = contender;
    }

    /** Flushes the servers, opens the contender and stores the entries; fills its near cache, if any. */
    static FilledContender open(ContenderType type, Lifetime lifetime, List<Batch> entries) {
        BenchmarkServers servers = BenchmarkServers.open(type.usesServers() ? SERVERS : 0);
        FilledContender opened;
        try {
            opened = new FilledContender(servers, type.open(new Conditions(servers.uris(), lifetime)));
        } catch (RuntimeException e) {
            servers.close();
            throw e;
        }
        try {
            boolean inBulk = type.operations().contains(Operation.PUT_ALL);
            opened.forEach(entries, batch -> opened.put(batch, inBulk));
            if (type.isNear()) {
                // A read creates the near entry; the benchmark measures reads of existing ones.
                opened.forEach(entries, batch -> batch.ids().forEach(opened.contender::get));
            }
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private void forEach(List<Batch> entries, Consumer<Batch> work) {
        ExecutorService threads = Executors.newFixedThreadPool(FILLING_THREADS);
        try {
            CompletableFuture.allOf(entries.stream()
                            .map(batch -> CompletableFuture.runAsync(() -> work.accept(batch), threads))
                            .toArray(CompletableFuture[]::new))
                    .join();
        } finally {
            threads.shutdown();
        }
    }

    private void put(Batch batch, boolean inBulk) {
        if (inBulk) {
            contender.putAll(batch);
        } else {
            for (int i = 0; i < batch.size(); i++) {
                contender.put(batch.ids().get(i), batch.values().get(i));
            }
        }
    }

    private List<Long> serverPids() {
        return Stream.concat(servers.processes().stream().map(ServerProcess::pid), contender.serverPids().stream())
                .toList();
    }

    Contender contender() {
        return contender;
    }

    void beginTrial() {
        RunningTrial.begin(serverPids());
    }

    /** Ends the trial. Call it before anything else is done. */
    void endTrial() {
        RunningTrial.end();
    }

    @Override
    public void close() {
        try {
            contender.close();
        } finally {
            servers.close();
        }
    }
}
