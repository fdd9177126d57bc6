// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cluster.terminal.ProgressBar;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import javax.cache.Cache;
import javax.cache.processor.EntryProcessor;
import org.jspecify.annotations.Nullable;

/** The cache calls of the food chain's tills. All receipts of a customer are replayed on one thread, in order. */
record Replay(Shop shop, int threads, ProgressBar progress) {
    private static final EntryProcessor<Integer, Customer, @Nullable Integer> COUNT_VISIT = (entry, arguments) -> {
        Customer customer = entry.getValue();
        if (customer == null) {
            return null;
        }
        Customer after = customer.afterVisit();
        entry.setValue(after);
        return after.visits();
    };

    void all(List<Receipt> receipts, boolean writes, Measurements measurements) {
        run(threads, number -> part(receipts, number, writes, measurements));
    }

    /** Replays the receipts repeatedly while another action runs on its own thread. */
    void during(List<Receipt> receipts, boolean writes, Measurements measurements, Runnable other) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        run(threads + 1, number -> {
            if (number == threads) {
                try {
                    other.run();
                } finally {
                    done.complete(null);
                }
            } else {
                part(receipts, number, writes, measurements);
                again(receipts, number, measurements, done::isDone);
            }
        });
    }

    private static void run(int threads, IntConsumer task) {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            CompletableFuture.allOf(IntStream.range(0, threads)
                            .mapToObj(number -> CompletableFuture.runAsync(() -> task.accept(number), pool))
                            .toArray(CompletableFuture[]::new))
                    .join();
        } finally {
            pool.shutdownNow();
        }
    }

    private void part(List<Receipt> receipts, int number, boolean writes, Measurements measurements) {
        for (Receipt receipt : receipts) {
            if (isOf(number, receipt)) {
                read(receipt, measurements);
                if (writes) {
                    write(receipt, measurements);
                }
                progress.advance(receipt.lines());
            }
        }
    }

    private void again(List<Receipt> receipts, int number, Measurements measurements, BooleanSupplier isOver) {
        List<Receipt> own =
                receipts.stream().filter(receipt -> isOf(number, receipt)).toList();
        for (int next = 0; !own.isEmpty() && !isOver.getAsBoolean(); next = (next + 1) % own.size()) {
            read(own.get(next), measurements);
        }
    }

    private boolean isOf(int number, Receipt receipt) {
        return receipt.customer() % threads == number;
    }

    private void read(Receipt receipt, Measurements measurements) {
        Cache<Integer, Product> products = shop.products();
        Cache<SaleKey, Sale> sales = shop.sales();
        for (int line = 0; line < receipt.lines(); line++) {
            int product = receipt.products().get(line);
            SaleKey key = receipt.key(line);
            customer(receipt.customer(), measurements);
            measurements.time(() -> products.get(product), found -> found != null && found.id() == product);
            measurements.time(() -> sales.get(key), found -> found != null && found.product() == product);
        }
        Set<SaleKey> keys = receipt.keys();
        measurements.time(() -> sales.getAll(keys), found -> found != null && isWhole(receipt, found));
    }

    void customer(int customer, Measurements measurements) {
        measurements.time(() -> shop.customers().get(customer), found -> found != null && found.id() == customer);
    }

    private static boolean isWhole(Receipt receipt, Map<SaleKey, Sale> found) {
        return found.size() == receipt.lines()
                && IntStream.range(0, receipt.lines()).allMatch(line -> {
                    Sale sale = found.get(receipt.key(line));
                    return sale != null && sale.product() == receipt.products().get(line);
                });
    }

    private void write(Receipt receipt, Measurements measurements) {
        measurements.time(() -> shop.customers().invoke(receipt.customer(), COUNT_VISIT), visits -> visits != null);
    }
}
