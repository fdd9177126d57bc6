// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.io.Serializable;
import java.math.BigDecimal;

/**
 * Something that the food chain sells.
 *
 * @param id from 1 on
 * @param brand whose product it is
 * @param name its name, which starts with the brand
 * @param price the retail price that the producer suggests
 */
record Product(int id, String brand, String name, BigDecimal price) implements Serializable {
    private static final long serialVersionUID = 1L;
}
