// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.io.Serializable;
import java.math.BigDecimal;

record Sale(int product, int store, int units, BigDecimal amount) implements Serializable {
    private static final long serialVersionUID = 1L;
}
