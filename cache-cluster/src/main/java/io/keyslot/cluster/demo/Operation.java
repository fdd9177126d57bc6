// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

/** The calls of the replay that are timed. */
enum Operation {
    GET_CUSTOMER("get customer"),
    GET_PRODUCT("get product"),
    GET_SALE("get sale"),
    GET_RECEIPT("getAll sales of a receipt"),
    PUT_SALE("put sale"),
    VISIT("invoke customer");

    private final String text;

    Operation(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
