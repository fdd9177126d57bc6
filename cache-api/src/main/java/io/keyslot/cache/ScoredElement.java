// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cache;

/** An element of a sorted set with its score. */
public record ScoredElement<E>(E element, double score) {}
