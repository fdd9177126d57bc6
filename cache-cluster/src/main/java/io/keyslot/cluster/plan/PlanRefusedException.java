// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.plan;

/** The plan does not exist, or is not for this map. Nothing was changed. */
public final class PlanRefusedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public PlanRefusedException(String message) {
        super(message);
    }
}
