// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.it.SideBySide;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** An IT because the database takes seconds to open. */
@Tag("thorough")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SideBySide
class FoodMartIT {
    private static final int SALES = 251_395;

    private final FoodMart foodMart = FoodMart.open();
    private final List<Receipt> receipts = foodMart.receipts(SALES);

    @AfterAll
    void close() {
        foodMart.close();
    }

    @Test
    void receipts_haveEverySale_underAKeyOfItsOwn() {
        Set<SaleKey> keys = new HashSet<>();
        receipts.forEach(receipt -> keys.addAll(receipt.keys()));

        assertThat(keys).hasSize(SALES);
    }

    @Test
    void receipts_areInTheOrderOfTime() {
        assertThat(receipts.stream().map(Receipt::day)).isSorted();
    }

    @Test
    void receipts_limited_haveExactlySoManyLines() {
        List<Receipt> some = foodMart.receipts(1_003);

        assertThat(some.stream().mapToInt(Receipt::lines).sum()).isEqualTo(1_003);
    }

    @Test
    void sale_ofEachLine_isTheOneOfTheReceipt() {
        List<Receipt> some = receipts.subList(receipts.size() / 2 - 500, receipts.size() / 2 + 500);

        assertThat(some).allSatisfy(receipt -> {
            for (int line = 0; line < receipt.lines(); line++) {
                assertThat(foodMart.sale(receipt.key(line)))
                        .isNotNull()
                        .extracting(Sale::product)
                        .isEqualTo(receipt.products().get(line));
            }
        });
    }

    @Test
    void sale_ofALineThatDoesNotExist_isNull() {
        assertThat(foodMart.sale(new SaleKey(1, 1, 0))).isNull();
    }

    @Test
    void customer_isReadWithAllColumns() {
        assertThat(foodMart.customer(1)).isEqualTo(new Customer(1, "Sheri Nowmer", "Tlaxiaco", "Bronze", 0));
        assertThat(foodMart.customer(10_282)).isNull();
    }

    @Test
    void product_isReadWithAllColumns() {
        Product product = foodMart.product(1);

        assertThat(product).isNotNull();
        assertThat(product.name()).isEqualTo("Washington Berry Juice");
        assertThat(product.price()).isEqualByComparingTo("2.85");
    }
}
