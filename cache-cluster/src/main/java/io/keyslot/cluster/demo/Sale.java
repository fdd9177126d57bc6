// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.io.Serializable;
import java.math.BigDecimal;

/**
 * One line of a receipt.
 *
 * @param product what was bought
 * @param store where
 * @param units how many
 * @param amount what was paid for them
 */
record Sale(int product, int store, int units, BigDecimal amount) implements Serializable {
    private static final long serialVersionUID = 1L;
}
