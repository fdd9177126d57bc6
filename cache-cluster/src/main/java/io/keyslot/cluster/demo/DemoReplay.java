// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cluster.terminal.ProgressBar;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/**
 * The workload: what the tills of the food chain ask a cache. Several threads share it, all receipts of a customer on the
 * same one and in the order of time.
 */
final class DemoReplay {
    /** One receipt in so many is corrected at the till: its first line is written again. */
    private static final int RECEIPTS_PER_CORRECTION = 10;

    private final Shop shop;
    private final int threads;
    private final ProgressBar progress;

    DemoReplay(Shop shop, int threads, ProgressBar progress) {
        this.shop = shop;
        this.threads = threads;
        this.progress = progress;
    }

    int threads() {
        return threads;
    }

    /** Replays the receipts on all threads, reads and writes, and waits for the end. */
    void all(List<Receipt> receipts, Measurements measurements) {
        Workers.run(threads, number -> readsAndWrites(receipts, number, measurements));
    }

    /** Replays the receipts of one thread. */
    void readsAndWrites(List<Receipt> receipts, int number, Measurements measurements) {
        for (Receipt receipt : receipts) {
            if (isOf(number, receipt)) {
                write(receipt, read(receipt, measurements), measurements);
                progress.advance(receipt.lines());
            }
        }
    }

    /** Reads the receipts of one thread again and again, until something is over. */
    void readsAgain(List<Receipt> receipts, int number, Measurements measurements, BooleanSupplier isOver) {
        List<Receipt> own =
                receipts.stream().filter(receipt -> isOf(number, receipt)).toList();
        for (int next = 0; !own.isEmpty() && !isOver.getAsBoolean(); next = (next + 1) % own.size()) {
            read(own.get(next), measurements);
        }
    }

    /** Replays the receipts of one thread, without the writes. */
    void reads(List<Receipt> receipts, int number, Measurements measurements) {
        for (Receipt receipt : receipts) {
            if (isOf(number, receipt)) {
                read(receipt, measurements);
                progress.advance(receipt.lines());
            }
        }
    }

    private boolean isOf(int number, Receipt receipt) {
        return receipt.customer() % threads == number;
    }

    /** Asks for the customer, the product and the sale of each line, and then for the whole receipt, to print it. */
    private @Nullable Map<SaleKey, Sale> read(Receipt receipt, Measurements measurements) {
        Cache<Integer, Customer> customers = shop.customers();
        Cache<Integer, Product> products = shop.products();
        Cache<SaleKey, Sale> sales = shop.sales();
        int customer = receipt.customer();
        for (int line = 0; line < receipt.lines(); line++) {
            int product = receipt.products().get(line);
            SaleKey key = receipt.key(line);
            measurements.time(
                    Operation.GET_CUSTOMER,
                    () -> customers.get(customer),
                    found -> found != null && found.id() == customer);
            measurements.time(
                    Operation.GET_PRODUCT,
                    () -> products.get(product),
                    found -> found != null && found.id() == product);
            measurements.time(
                    Operation.GET_SALE, () -> sales.get(key), found -> found != null && found.product() == product);
        }
        Set<SaleKey> keys = receipt.keys();
        return measurements.time(
                Operation.GET_RECEIPT, () -> sales.getAll(keys), found -> found != null && isWhole(receipt, found));
    }

    private static boolean isWhole(Receipt receipt, Map<SaleKey, Sale> found) {
        return found.size() == receipt.lines()
                && IntStream.range(0, receipt.lines()).allMatch(line -> {
                    Sale sale = found.get(receipt.key(line));
                    return sale != null && sale.product() == receipt.products().get(line);
                });
    }

    /** Counts the customer's visit, and now and then corrects a line. */
    private void write(Receipt receipt, @Nullable Map<SaleKey, Sale> read, Measurements measurements) {
        int customer = receipt.customer();
        measurements.time(
                Operation.VISIT, () -> shop.customers().invoke(customer, new CountVisit()), visits -> visits != null);
        Sale first = read == null ? null : read.get(receipt.key(0));
        if (first != null && (customer + receipt.day()) % RECEIPTS_PER_CORRECTION == 0) {
            measurements.time(Operation.PUT_SALE, () -> put(receipt.key(0), first), done -> true);
        }
    }

    private @Nullable Void put(SaleKey key, Sale sale) {
        shop.sales().put(key, sale);
        return null;
    }
}
