// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.io.Serializable;
import java.math.BigDecimal;

/** A product of the food chain. */
record Product(int id, String brand, String name, BigDecimal price) implements Serializable {
    private static final long serialVersionUID = 1L;
}
