// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.math.BigDecimal;

/** A product of the food chain. */
record Product(int id, String brand, String name, BigDecimal price) {}
